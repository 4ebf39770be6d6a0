//! front-bp
