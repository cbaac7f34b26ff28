mod ptx;
