-- Views that users made themselves, and built-in ones that they have configured (those have no name).
create table navigation_views (
  id int primary key generated always as identity,
  user_id int not null references users,
  fragment text not null check (fragment <> ''),
  is_pinned boolean not null,
  name text check (name <> '')
);
-- Of digests: the texts may be longer than an index holds.
create unique index navigation_views_fragment on navigation_views (user_id, md5(fragment));
create unique index navigation_views_name on navigation_views (user_id, md5(name)) where name is not null;
