-- Patterns that become links, in the order of `position`.
create table linkifiers (
  id int primary key generated always as identity,
  pattern text not null check (pattern <> ''),
  url_template text not null check (url_template <> ''),
  example_input text check (example_input <> ''),
  reverse_template text check (reverse_template <> ''),
  alternative_url_templates text[] not null default '{}',
  position int not null,
  check (reverse_template is null or example_input is not null),
  -- Not an ordinary unique index: those hold no text of this length.
  exclude using hash (pattern with =),
  -- At the end of a statement: a new order moves them all at once.
  unique (position) deferrable initially immediate
);

-- The organization's version at the last change of a linkifier or of their order: servers keep the list in memory.
create table linkifier_list (
  id smallint primary key default 1 check (id = 1),
  version bigint not null default 1
);
insert into linkifier_list default values;
