create table saved_snippets (
  id int primary key generated always as identity,
  user_id int not null references users,
  title text not null check (char_length(title) between 1 and 60),
  content text not null check (char_length(content) between 1 and 10000),
  date_created timestamptz not null default now()
);
create index saved_snippets_user on saved_snippets (user_id);
