-- Long ranges are read from the rollups of hours and days; the packed copy of a day's hours is gone.
drop index reading_day_unpacked;
alter table reading_day reset (toast_tuple_target);
alter table reading_day drop column hours;
