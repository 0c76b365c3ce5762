-- works with 0.1.0
-- How a user has arranged the sidebar. No row: nothing is changed.
create table sidebars (
  user_id int primary key references users,
  sections text[] not null,
  collapsed text[] not null,
  pinned_channels int[] not null,
  unread_only boolean not null
);
