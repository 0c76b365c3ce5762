import { z } from 'zod'
import { flag, id, lineType, text, time } from '../line-type.js'

export const linkifierLine = lineType(
  'linkifier',
  { table: 'linkifiers', order: 'id', doc: 'A pattern that becomes a link.' },
  {
    id: id('Its id.'),
    pattern: text('The regular expression.'),
    url_template: text('The URL template (RFC 6570).'),
    example_input: text('An example of a text that matches.').nullable(),
    reverse_template: text('The text that clients write in place of a pasted URL.').nullable(),
    alternative_url_templates: z.array(z.string()).describe('Other URL templates of the same pages.'),
    position: z.int().describe('Its position among the linkifiers.'),
  },
)

export const playgroundLine = lineType(
  'playground',
  { table: 'playgrounds', order: 'id', doc: 'A website that runs code of a language.' },
  {
    id: id('Its id.'),
    name: text('Its name.'),
    pygments_language: text('The language as code blocks name it.'),
    url_template: text('The URL template (RFC 6570); its variable is `code`.'),
  },
)

export const domainLine = lineType(
  'allowed_domain',
  {
    table: 'allowed_domains',
    order: 'id',
    doc: 'A domain of the addresses that `emails_restricted_to_domains` allows.',
  },
  {
    id: id('Its id.'),
    domain: text('The domain in lower case.'),
    allow_subdomains: flag('Whether subdomains are allowed, too.'),
  },
)

export const identityLine = lineType(
  'identity',
  {
    table: 'identities',
    order: 'provider, subject',
    doc: 'A person of an identity provider, and the account that it has.',
  },
  {
    provider: text('The provider, such as `oidc:company`.'),
    subject: text('The provider’s id of the person.'),
    user_id: id('The account.'),
    date_linked: time('When they were linked.'),
  },
)

export const provisionedUserLine = lineType(
  'provisioned_user',
  {
    table: 'provisioned_users',
    order: 'user_id',
    doc: 'What a directory calls a person (SCIM).',
  },
  {
    user_id: id('The account.'),
    user_name: text('Its `userName`.'),
    external_id: text('Its `externalId`; null: none.').nullable(),
    is_removed: flag('The directory has deleted the person.'),
  },
)

export const provisionedGroupLine = lineType(
  'provisioned_group',
  {
    table: 'provisioned_groups',
    order: 'group_id',
    doc: 'What a directory calls a group (SCIM).',
  },
  {
    group_id: id('The group.'),
    external_id: text('Its `externalId`; null: none.').nullable(),
  },
)

export const snippetLine = lineType(
  'saved_snippet',
  { table: 'saved_snippets', order: 'id', doc: 'A text that a user saved to use again.' },
  {
    id: id('Its id.'),
    user_id: id('The user who saved it.'),
    title: text('Its title.'),
    content: text('Its text, in Markdown.'),
    date_created: time('When it was saved.'),
  },
)

export const draftLine = lineType(
  'draft',
  { table: 'drafts', order: 'id', doc: 'A message that a user has not sent yet.' },
  {
    id: id('Id of the draft.'),
    user_id: id('The user that wrote it.'),
    type: z.enum(['', 'private', 'stream']).describe('`stream`, `private`, or empty: no recipient.'),
    recipients: z.array(z.int()).describe('The channel, or the users beside the author.'),
    topic: text('Its topic; empty unless in a channel.'),
    content: text('Its text, in Markdown.'),
    last_edited: time('When it was edited last.'),
  },
)

export const scheduledLine = lineType(
  'scheduled_message',
  {
    table: 'scheduled_messages',
    order: 'id',
    doc: 'A message that its author sends later, or that could not be sent.',
  },
  {
    id: id('Its id.'),
    user_id: id('The author.'),
    channel_id: id('Its channel; null: a direct message.').nullable(),
    topic: text('Its topic; empty unless in a channel.'),
    recipients: z.array(z.int()).describe('The users beside the author; empty for a message to a channel.'),
    content: text('Its text, in Markdown.'),
    rendered_content: text('Its text in HTML when it was edited last.'),
    file_ids: z.array(z.int()).describe('The uploaded files that it uses.'),
    client: text('The program that scheduled it or edited it last.'),
    read_by_sender: flag('It will be read for its author.'),
    due: time('When it is sent.'),
    failed: flag('It could not be sent at its time.'),
  },
)

export const reminderLine = lineType(
  'reminder',
  { table: 'reminders', order: 'id', doc: 'A message that the server sends to remind a user of a message.' },
  {
    id: id('Its id.'),
    user_id: id('The user.'),
    message_id: id('The message of which it reminds.'),
    note: text('The user’s note; may be empty.'),
    content: text('Its text when the user asked for it, in Markdown.'),
    rendered_content: text('The same in HTML.'),
    due: time('When it is sent.'),
    failed: flag('Its time was missed.'),
  },
)

export const viewLine = lineType(
  'navigation_view',
  {
    table: 'navigation_views',
    order: 'id',
    doc: 'A view that a user created, or a built-in view that a user configured.',
  },
  {
    id: id('Its id.'),
    user_id: id('The user.'),
    fragment: text('The URL fragment of what it shows.'),
    is_pinned: flag('The view is pinned.'),
    name: text('Its name; null: a built-in view.').nullable(),
  },
)

export const sidebarLine = lineType(
  'sidebar',
  { table: 'sidebars', order: 'user_id', doc: 'How a user has arranged the sidebar.' },
  {
    user_id: id('The user.'),
    sections: z.array(z.string()).describe('The sections in their order.'),
    collapsed: z.array(z.string()).describe('The sections of which only the heading is shown.'),
    pinned_channels: z.array(z.int()).describe('Pinned channels in their order.'),
    unread_only: flag('Only what has unread messages is shown.'),
  },
)

export const deviceLine = lineType(
  'device',
  { table: 'devices', order: 'id', doc: 'A device of a user.' },
  {
    id: id('Its id.'),
    user_id: id('The user.'),
    date_registered: time('When it was registered.'),
  },
)

export const botStorageLine = lineType(
  'bot_storage',
  { table: 'bot_storage', order: 'bot_id, key_hash', doc: 'A value that a bot has stored under a key.' },
  {
    bot_id: id('The bot.'),
    key: text('The key.'),
    value: text('The value.'),
  },
)
