/** The lists of the organization. */
export const lists = {
  linkifiers: { add: 'Add linkifier', none: 'There is no linkifier yet.' },
  playgrounds: { add: 'Add playground', none: 'There is no playground yet.' },
  domains: { add: 'Add domain', none: 'There is no domain yet.', withSubdomains: 'with its subdomains' },
  folders: { add: 'Add folder', none: 'There is no folder yet.' },
  defaultChannels: { add: 'Add default channel', none: 'There is no default channel yet.' },
  defaultGroups: { add: 'Add group of channels', none: 'There is no group of channels yet.' },
  profileFields: { add: 'Add profile field', none: 'There is no profile field yet.' },
}

/** The fields of their forms. */
export const fields = {
  bot_name: 'Name',
  bot_short_name: 'Short name',
  bot_type: 'Kind',
  bot_url: 'Address of its server',
  pattern: 'Pattern',
  url_template: 'Address',
  example_input: 'Example',
  reverse_template: 'Text for a pasted address',
  playground_name: 'Name',
  pygments_language: 'Language of the code',
  playground_url: 'Address',
  domain: 'Domain',
  allow_subdomains: 'Addresses of its subdomains, too',
  folder_name: 'Name',
  purpose: 'Description',
  default_channel: 'Channel',
  group_name: 'Name',
  channels: 'Channels',
  field_type: 'Type',
  account: 'Website',
  field_name: 'Name',
  url_pattern: 'Address',
  choices: 'Options',
  hint: 'Hint',
  required: 'People are asked to fill it in',
  editable_by_user: 'People change their own value',
  display_in_profile_summary: 'Shown in the summary of a profile',
  invitee_emails: 'Email addresses',
  invite_as: 'Role',
  expires: 'Valid for',
  with_default_channels: 'Join the default channels',
  groups: 'Join these groups',
  notifies: 'Tell me when they join',
  welcome_text: 'Welcome message',
}

/** More words about fields. */
export const fieldHints = {
  bot_short_name: 'Its address begins with it.',
  bot_url: 'Gets the messages to the bot. It may come later.',
  pattern: 'A regular expression with named groups, such as #(?P<id>[0-9]+)',
  url_template: 'With the names of the groups in braces, such as https://tracker.example/issues/{id}',
  example_input: 'A text that the pattern matches.',
  reverse_template: 'Such as #{id}. It must make the example again.',
  pygments_language: 'As code blocks name it, such as Rust.',
  playground_url: 'With the code in braces, such as https://play.example/?code={code}',
  url_pattern: 'With %(username)s for the name of the account.',
  choices: 'One on each line.',
  welcome_text: 'Markdown. In place of that of the organization.',
  invitee_emails: 'With commas between them, or each on a line of its own.',
}

/** Types of profile fields, and websites of accounts. */
export const fieldTypes = {
  1: 'Short text',
  2: 'Long text',
  3: 'List of options',
  4: 'Date',
  5: 'Link',
  6: 'People',
  7: 'Account on a website',
  8: 'Pronouns',
  github: 'GitHub',
  twitter: 'Twitter',
  other: 'Another website',
}

/** What the operator of the server has set up. */
export const facts = {
  methodsMeaning: 'The operator sets up the ways to sign in; owners switch them on and off by the API.',
  password: 'Email address and password',
  on: 'On',
  off: 'Off',
  used: 'All files together',
  quota: 'Room for files',
  noQuota: 'No limit',
  largest: 'Largest file',
  quotaMeaning: 'The operator of the server sets the size of a file and the space of each person.',
  mib: (size: string) => `${size} MiB`,
  gib: (size: string) => `${size} GiB`,
}
