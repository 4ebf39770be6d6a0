//! The Bluetooth driver of the jMoped paper (Suwimonteerabuth, Esparza, Schwoon, SPIN 2008, section 5.2, Figure 2).
//!
//! Adders do I/O in the driver, stoppers halt it. `pendingIo` counts the threads inside, plus one until the driver is being
//! stopped; the thread that brings it to zero fires the stopping event, and whoever waits for that halts the driver. No
//! adder may do I/O in a driver that has been halted. Statements are steps as in the figure: what is synchronized there
//! is atomic here, and nothing else is. The counter has five bits, so that there are eight shared variables; of the
//! local `pio` only matters whether it is zero.
//!
//! In Remopla a thread starts the others, and is itself the first adder, so that there are as many threads and switches.
//!
//! Three variants: the first looks at the flag before it counts itself in; the second afterwards; the third no longer
//! leaves a driver that it has not entered.

/// Which version of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// The flag is read before the counter is increased: violated with one adder and one stopper.
    First,
    /// Figure 2: violated with two adders and one stopper.
    Second,
    /// An adder that did not get in does not leave: violated with one adder and two stoppers.
    Third,
}

/// Bits of the counter.
const N_BITS: usize = 5;

/// The text of the driver, with at least one adder and one stopper.
pub(super) fn write(variant: Variant, adders: u32, stoppers: u32) -> String {
    let mut text = shared();
    text.push_str(&thread("adder", adders, "add"));
    text.push_str(&thread("stopper", stoppers, "stop"));
    text.push_str(add(variant));
    text.push_str(STOP);
    text.push_str(&inc(variant));
    text.push_str(&dec());
    text
}

fn bits() -> Vec<String> {
    (0..N_BITS).map(|i| format!("pendingIo{i}")).collect()
}

fn shared() -> String {
    let bits = bits().join(", ");
    let one: Vec<&str> = (0..N_BITS).map(|i| if i == 0 { "T" } else { "F" }).collect();
    let one = one.join(", ");
    format!(
        "\
decl {bits};
decl stoppingFlag, stoppingEvent, stopped;

init
begin
  {bits} := {one};
  stoppingFlag, stoppingEvent, stopped := F, F, F;
end
"
    )
}

fn thread(name: &str, copies: u32, procedure: &str) -> String {
    let copies = if copies > 1 { format!("[{copies}]") } else { String::new() };
    format!(
        "
thread {name}{copies}
begin
  void main()
  begin
    {procedure}();
  end
end
"
    )
}

fn add(variant: Variant) -> &'static str {
    match variant {
        Variant::First | Variant::Second => {
            "
void add()
begin
  decl status;
  status := inc();
  if (status) then
    assert(!stopped);
  fi
  dec();
end
"
        }
        Variant::Third => {
            "
void add()
begin
  decl status;
  status := inc();
  if (status) then
    assert(!stopped);
    dec();
  fi
end
"
        }
    }
}

const STOP: &str = "
void stop()
begin
  stoppingFlag := T;
  dec();
  while (!stoppingEvent) do
    skip;
  od
  stopped := T;
end
";

fn inc(variant: Variant) -> String {
    let count = counted(|bits| bits.join(" & "));
    match variant {
        Variant::First => format!(
            "
bool inc()
begin
  if (stoppingFlag) then
    return F;
  fi
  {count};
  return T;
end
"
        ),
        Variant::Second | Variant::Third => format!(
            "
bool inc()
begin
  decl status;
  {count};
  if (stoppingFlag) then
    dec();
    status := F;
  else
    status := T;
  fi
  return status;
end
"
        ),
    }
}

fn dec() -> String {
    let bits = bits();
    let zero = bits.join(" | ");
    let count = counted(|bits| format!("!({})", bits.join(" | ")));
    format!(
        "
void dec()
begin
  decl isZero;
  atomic_begin;
  {count};
  isZero := !({zero});
  atomic_end;
  if (isZero) then
    stoppingEvent := T;
  fi
end
"
    )
}

/// Counts by one: a bit changes when `carry` holds of the bits below it.
fn counted(carry: impl Fn(&[String]) -> String) -> String {
    let bits = bits();
    let changed = |i: usize| match i {
        0 => format!("!{}", bits[0]),
        _ => format!("{} ^ ({})", bits[i], carry(&bits[..i])),
    };
    let values: Vec<String> = (0..N_BITS).map(changed).collect();
    format!("{} := {}", bits.join(", "), values.join(", "))
}

/// The same in Remopla; the label `ERROR` is reached when an adder does I/O in a driver that has been halted.
pub(super) fn write_remopla(variant: Variant, adders: u32, stoppers: u32) -> String {
    let mut text = format!(
        "shared int pendingIo({N_BITS});\nshared bool stoppingFlag, stoppingEvent, stopped;\n\nmodule void main() {{\n  \
         pendingIo = 1, stoppingFlag = false, stoppingEvent = false, stopped = false;\n"
    );
    (1..adders).for_each(|_| text.push_str("  fork add();\n"));
    (0..stoppers.max(1)).for_each(|_| text.push_str("  fork stop();\n"));
    text.push_str("  add();\n}\n");
    text.push_str(add_remopla(variant));
    text.push_str(STOP_REMOPLA);
    text.push_str(inc_remopla(variant));
    text.push_str(DEC_REMOPLA);
    text
}

fn add_remopla(variant: Variant) -> &'static str {
    match variant {
        Variant::First | Variant::Second => {
            "
module void add() {
  bool status;
  status = inc();
  if
  :: status -> if :: stopped -> ERROR: skip; :: else -> skip; fi
  :: else -> skip;
  fi
  dec();
}
"
        }
        Variant::Third => {
            "
module void add() {
  bool status;
  status = inc();
  if
  :: status -> if :: stopped -> ERROR: skip; :: else -> skip; fi dec();
  :: else -> skip;
  fi
}
"
        }
    }
}

const STOP_REMOPLA: &str = "
module void stop() {
  stoppingFlag = true;
  dec();
  do :: stoppingEvent -> break; :: else -> skip; od
  stopped = true;
}
";

fn inc_remopla(variant: Variant) -> &'static str {
    match variant {
        Variant::First => {
            "
module bool inc() {
  if :: stoppingFlag -> return false; :: else -> skip; fi
  pendingIo = pendingIo + 1;
  return true;
}
"
        }
        Variant::Second | Variant::Third => {
            "
module bool inc() {
  pendingIo = pendingIo + 1;
  if :: stoppingFlag -> dec(); return false; :: else -> return true; fi
}
"
        }
    }
}

const DEC_REMOPLA: &str = "
module void dec() {
  bool isZero;
  pendingIo = pendingIo - 1, isZero = pendingIo == 1;
  if :: isZero -> stoppingEvent = true; :: else -> skip; fi
}
";
