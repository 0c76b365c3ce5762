-- works with 0.1.0
-- Websites that run code: clients offer them beside code blocks of the language.
create table playgrounds (
  id int primary key generated always as identity,
  name text not null check (name <> ''),
  pygments_language text not null check (pygments_language <> ''),
  url_template text not null check (url_template <> ''),
  unique (pygments_language, name)
);

-- The domains of the addresses with which accounts can be made while emails_restricted_to_domains is on.
create table allowed_domains (
  id int primary key generated always as identity,
  domain text not null unique check (domain = lower(domain)),
  allow_subdomains boolean not null
);

-- The organization's version at the last change of a playground or domain: workers keep both lists in memory.
create table organization_lists (
  id smallint primary key default 1 check (id = 1),
  version bigint not null default 1
);
insert into organization_lists default values;
