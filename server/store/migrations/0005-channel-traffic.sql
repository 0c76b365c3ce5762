-- Messages of the last four weeks in each channel, counted anew now and then: `stream_weekly_traffic` is an average that
-- nobody needs to the minute, and a register answer must not count messages.
create table channel_traffic (
  channel_id int primary key references channels,
  messages int not null
);
create table channel_traffic_counted (
  id smallint primary key default 1 check (id = 1),
  at timestamptz not null default '-infinity'
);
insert into channel_traffic_counted default values;
