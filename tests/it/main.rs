mod corpus;
mod ir_text;
mod ptx;
