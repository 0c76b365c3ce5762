-- works with 0.1.0
-- A deactivation ends the API key. 32 hexadecimal digits with 122 random bits; at its return the account fetches this key with its password.
update users set api_key = replace(gen_random_uuid()::text, '-', '') where not is_active;
