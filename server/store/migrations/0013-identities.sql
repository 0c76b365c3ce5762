-- works with 0.1.0
-- Which person of an identity provider has which account. An account has one person of each provider, and a person one account.
create table identities (
  -- The provider's name, such as `oidc:company`.
  provider text not null,
  -- The provider's id of the person.
  subject text not null,
  user_id int not null references users on delete cascade,
  date_linked timestamptz not null default now(),
  primary key (provider, subject),
  unique (user_id, provider)
);
