//! Statements.

use base::{Diagnostic, Span};
use text::Descent;

use super::Parser;
use crate::syntax::{Arm, Block, Call, Else, Expr, If, Name, Statement, StatementKind, While};
use crate::token::Token;

impl Parser<'_> {
    /// Statements up to a word that closes an open construct.
    pub(super) fn block(&mut self) -> Block {
        let mut block = Block::new();
        if self.descend().is_none() {
            return block;
        }
        while !self.at_block_end() {
            if self.eat(Token::Semicolon).is_some() || self.skip_misplaced_begin() {
                continue;
            }
            let (depth, n_before) = (self.depth(), block.len());
            if self.statement(&mut block).is_none() {
                block.truncate(n_before);
                self.set_depth(depth);
                self.skip_statement();
            }
        }
        self.ascend();
        block
    }

    /// A statement with its labels and its `;`.
    fn statement(&mut self, block: &mut Block) -> Option<()> {
        self.labels(block);
        match self.token() {
            Token::If => self.if_statement(block),
            Token::While => self.while_statement(block),
            _ => self.other_statement(block),
        }
    }

    /// Begins a statement with its labels, `L1: L2:`.
    #[inline(never)]
    fn labels(&mut self, block: &mut Block) {
        let (start, blank_before) = (self.span().start, self.blank_before());
        let mut labels = Vec::new();
        while self.at_label() {
            labels.push(self.take_name());
            self.advance();
        }
        block.push(Statement { labels, kind: StatementKind::Empty, head: self.span(), start, blank_before });
    }

    /// A statement without statements inside.
    #[inline(never)]
    fn other_statement(&mut self, block: &mut Block) -> Option<()> {
        let statement = block.last_mut()?;
        if let Some(label) = statement.labels.first()
            && (self.at_block_end() || self.token() == Token::Semicolon)
        {
            statement.head = label.span.behind();
            self.eat(Token::Semicolon);
            return Some(());
        }
        statement.kind = self.simple()?;
        statement.head = statement.head.to(self.previous());
        if matches!(statement.kind, StatementKind::Declaration(_) | StatementKind::Enforce(_)) {
            self.reject_labels(&mut statement.labels);
        }
        if !matches!(statement.kind, StatementKind::Declaration(_)) {
            self.end_statement();
        }
        Some(())
    }

    pub(super) fn at_label(&self) -> bool {
        self.second() == Token::Colon && (self.at_name() || self.token() == Token::Number)
    }

    /// A statement without statements inside, up to its `;`.
    #[inline(never)]
    fn simple(&mut self) -> Option<StatementKind> {
        use StatementKind as S;
        if self.token().is_soft() && matches!(self.second(), Token::Becomes | Token::Comma) {
            return self.assignment();
        }
        Some(match self.token() {
            Token::Decl | Token::Bool => S::Declaration(self.declaration()?),
            Token::Enforce => S::Enforce(self.condition()?),
            Token::Skip => self.word(S::Skip),
            Token::AtomicBegin => self.word(S::AtomicBegin),
            Token::AtomicEnd => self.word(S::AtomicEnd),
            Token::EndThread => self.word(S::EndThread),
            Token::Break => self.word(S::Break),
            Token::Continue => self.word(S::Continue),
            Token::Assume => S::Assume(self.condition()?),
            Token::Constrain => S::Constrain(self.condition()?),
            Token::Assert => S::Assert(self.condition()?),
            Token::Abortif => S::Abortif(self.condition()?),
            Token::Return => S::Return(self.returned()?),
            Token::Goto => S::Goto(self.goto_targets()?),
            Token::Dead => S::Dead(self.dead()?),
            Token::Print => S::Print(self.printed()?),
            Token::StartThread | Token::Async => self.spawn()?,
            Token::Call => {
                self.advance();
                S::Call { targets: Vec::new(), call: self.call()? }
            }
            _ => self.assignment_or_call()?,
        })
    }

    fn word(&mut self, kind: StatementKind) -> StatementKind {
        self.advance();
        kind
    }

    /// The expression behind a word such as `assume`.
    fn condition(&mut self) -> Option<Expr> {
        self.advance();
        self.expr()
    }

    fn returned(&mut self) -> Option<Vec<Expr>> {
        self.advance();
        if self.token() == Token::Semicolon || self.at_block_end() {
            return Some(Vec::new());
        }
        self.list(Self::expr)
    }

    fn goto_targets(&mut self) -> Option<Vec<Name>> {
        self.advance();
        self.list(Self::label)
    }

    /// The name of a label.
    fn label(&mut self) -> Option<Name> {
        if self.token() == Token::Number { Some(self.take_name()) } else { self.name("a label") }
    }

    fn dead(&mut self) -> Option<Vec<Name>> {
        self.advance();
        self.list(|parser| parser.name("a variable"))
    }

    fn printed(&mut self) -> Option<Vec<Expr>> {
        self.advance();
        let open = self.expect(Token::Open, "`(` and what to print")?;
        let values = self.list(Self::expr)?;
        self.close(open, Token::Close, "`)`")?;
        Some(values)
    }

    /// `start_thread p(e)` or `start_thread goto L`
    fn spawn(&mut self) -> Option<StatementKind> {
        self.advance();
        if self.eat(Token::Goto).is_some() {
            return self.label().map(StatementKind::SpawnGoto);
        }
        self.eat(Token::Call);
        self.call().map(StatementKind::Spawn)
    }

    /// `p(e, f)`
    fn call(&mut self) -> Option<Call> {
        let callee = self.name("the procedure to call")?;
        let open = self.expect(Token::Open, "`(` and the arguments")?;
        if self.eat(Token::Close).is_some() {
            return Some(Call { callee, arguments: Vec::new() });
        }
        let arguments = self.list(Self::expr)?;
        self.close(open, Token::Close, "`)`")?;
        Some(Call { callee, arguments })
    }

    fn assignment_or_call(&mut self) -> Option<StatementKind> {
        if !self.at_name() {
            self.unexpected("a statement");
            return None;
        }
        match self.second() {
            Token::Open => Some(StatementKind::Call { targets: Vec::new(), call: self.call()? }),
            Token::Comma | Token::Becomes => self.assignment(),
            second => {
                let name = self.take_name();
                self.no_statement(name, second);
                None
            }
        }
    }

    /// Reports a name that begins neither a call nor an assignment.
    fn no_statement(&mut self, name: Name, second: Token) {
        let text = self.names.text(name.symbol);
        let near = base::names::similar(text, WORDS);
        let help = match (near, second) {
            (Some(word), _) => format!("did you mean `{word}`?"),
            (None, Token::Equal) => format!("to assign, write `{text} := ...`"),
            (None, Token::Semicolon) => format!("to call a procedure, write `{text}()`"),
            (None, _) => format!("write `{text} := ...` or `{text}(...)`"),
        };
        self.unexpected_help("`:=`, `,`, `:` or `(` after a name", Some(&help));
    }

    fn assignment(&mut self) -> Option<StatementKind> {
        let targets = self.list(|parser| parser.name("a variable to assign to"))?;
        self.expect(Token::Becomes, "`:=`")?;
        let explicit = self.eat(Token::Call).is_some();
        if explicit || (self.at_name() && self.second() == Token::Open) {
            return Some(StatementKind::Call { targets, call: self.call()? });
        }
        let values = self.list(Self::expr)?;
        let constraint = if self.eat(Token::Constrain).is_some() { Some(self.expr()?) } else { None };
        Some(StatementKind::Assign { targets, values, constraint })
    }

    fn if_statement(&mut self, block: &mut Block) -> Option<()> {
        let keyword = self.span();
        let mut branches = Box::new(If { arms: Vec::new(), otherwise: None, end: 0 });
        self.open.ifs += 1;
        let read = self.branches(&mut branches);
        self.open.ifs -= 1;
        read?;
        branches.end = self.close_construct(Token::Fi, "if", "fi", keyword).start;
        self.eat(Token::Semicolon);
        let statement = block.last_mut()?;
        statement.head = branches.arms.first()?.head;
        statement.kind = StatementKind::If(branches);
        Some(())
    }

    fn branches(&mut self, branches: &mut If) -> Option<()> {
        while branches.arms.is_empty() || self.token() == Token::Elsif {
            self.arm(&mut branches.arms)?;
            let block = self.block();
            branches.arms.last_mut()?.block = block;
        }
        if let Some(span) = self.eat(Token::Else) {
            branches.otherwise = Some(Else { start: span.start, block: self.block() });
        }
        self.skip_late_arms()
    }

    /// Nothing but `fi` may follow the `else` part.
    fn skip_late_arms(&mut self) -> Option<()> {
        while matches!(self.token(), Token::Elsif | Token::Else) {
            self.unexpected_help("`fi`", Some("`else` is the last part of an `if`"));
            self.lost.statements = true;
            if self.eat(Token::Else).is_none() {
                self.arm(&mut Vec::new())?;
            }
            self.block();
        }
        Some(())
    }

    /// `if (c) then` or `elsif (c) then`
    #[inline(never)]
    fn arm(&mut self, arms: &mut Vec<Arm>) -> Option<()> {
        let keyword = self.advance();
        let (condition, head) = self.decision(keyword, Token::Then, "`then`")?;
        arms.push(Arm { condition, head, block: Block::new() });
        Some(())
    }

    /// The condition of an `if` or `while`, and the word behind it. A mistake in it does not lose the construct.
    fn decision(&mut self, keyword: Span, word: Token, what: &str) -> Option<(Expr, Span)> {
        let condition = self.expr();
        let head = keyword.to(self.previous());
        if condition.is_none() || self.expect(word, what).is_none() {
            self.lost.statements = true;
            self.skip_condition(word);
        }
        (!self.is_stopped()).then(|| (condition.unwrap_or(Expr::Any), head))
    }

    fn skip_condition(&mut self, word: Token) {
        while !matches!(self.token(), Token::Semicolon | Token::EndOfFile) && self.token() != word {
            if self.at_block_end() || (self.is_first_on_line() && self.token().is_word()) {
                break;
            }
            self.advance();
        }
        self.eat(word);
    }

    fn while_statement(&mut self, block: &mut Block) -> Option<()> {
        let keyword = self.span();
        let mut repeated = self.loop_head(block)?;
        self.open.whiles += 1;
        repeated.block = self.block();
        self.open.whiles -= 1;
        repeated.end = self.close_construct(Token::Od, "while", "od", keyword).start;
        self.eat(Token::Semicolon);
        block.last_mut()?.kind = StatementKind::While(repeated);
        Some(())
    }

    /// `while (c) do`
    #[inline(never)]
    fn loop_head(&mut self, block: &mut Block) -> Option<Box<While>> {
        let keyword = self.advance();
        let (condition, head) = self.decision(keyword, Token::Do, "`do`")?;
        block.last_mut()?.head = head;
        Some(Box::new(While { condition, block: Block::new(), end: 0 }))
    }

    /// `begin` inside a procedure is reported once; its `end` is consumed as well, so that it closes nothing else.
    #[inline(never)]
    fn skip_misplaced_begin(&mut self) -> bool {
        let Some(begin) = self.eat(Token::Begin) else {
            let closes = self.open.misplaced_begins > 0 && self.eat(Token::End).is_some();
            self.open.misplaced_begins -= u32::from(closes);
            return closes;
        };
        // A brace has been reported already.
        if self.open.misplaced_begins == 0 && self.source().slice(begin) == "begin" {
            self.diagnose(
                Diagnostic::error("BP0011", "`begin` cannot stand inside a procedure")
                    .at(begin, "a procedure has one `begin ... end`")
                    .help("remove this `begin` and its `end`"),
            );
        }
        self.open.misplaced_begins += 1;
        true
    }
}

/// Words that begin a statement, for suggestions.
const WORDS: [&str; 20] = [
    "decl",
    "skip",
    "call",
    "return",
    "if",
    "while",
    "goto",
    "assume",
    "constrain",
    "assert",
    "dead",
    "print",
    "abortif",
    "atomic_begin",
    "atomic_end",
    "start_thread",
    "end_thread",
    "break",
    "continue",
    "enforce",
];
