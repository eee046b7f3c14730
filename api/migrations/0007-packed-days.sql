-- The hours of a day that is over, packed into one text: a query about years reads a thousand rows instead of
-- twenty-five thousand. Null where they are not packed yet, or no longer after a late reading of the day: then the
-- hours themselves are read, until the program has packed them.
alter table reading_day add column hours text;
-- A row stays in one place: looking up its text elsewhere takes longer than reading it.
alter table reading_day set (toast_tuple_target = 8160);
create index reading_day_unpacked on reading_day (sensor_id, start) where hours is null;
