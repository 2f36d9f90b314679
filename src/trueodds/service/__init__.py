"""The service: one writer for each table, seats and chips, pace, dice that anybody can verify."""
