mod ir_text;
mod ptx;
