-- works with 0.1.0
-- Exports of one person. `consenting` is that person.
alter table exports drop constraint exports_kind_check;
alter table exports add constraint exports_kind_check
  check (kind in ('public', 'full_with_consent', 'full_without_consent', 'person'));
-- Whose data an export of kind `person` contains.
alter table exports add column user_id int references users;
alter table exports add constraint exports_user check ((kind = 'person') = (user_id is not null));
create index exports_user on exports (user_id, id) where user_id is not null;
