mod corpus;
mod ir_text;
mod judge;
mod mc;
mod object;
mod ptx;
mod run_args;
