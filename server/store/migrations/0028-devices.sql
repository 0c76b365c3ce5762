-- Devices on which clients of a user run.
create table devices (
  id int primary key generated always as identity,
  user_id int not null references users,
  date_registered timestamptz not null default now()
);
create index devices_user on devices (user_id);
