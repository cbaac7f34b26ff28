mod corpus;
mod ir_text;
mod isel;
mod judge;
mod mc;
mod object;
mod ptx;
mod run_args;
