import { featureLevel, serverVersion } from '../../shared/limits.js'

/** The values of the document that depend on the server that serves it. */
export interface Server {
  /** The brand in names on the wire. */
  readonly brand: string
  /** The base URL of the operations: an address, or a path on the same host. */
  readonly url: string
}

export const areaTexts: Readonly<Record<string, string>> = {
  'audit-log': 'Who changed what of the organization.',
  auth: 'Signing in, and what there is to know before.',
  'event-subscriptions': 'Addresses to which the server sends the events of a bot.',
  bots: 'Bots of people, their keys, and what a bot keeps here.',
  'channel-folders': 'Folders that group channels.',
  channels: 'Channels, who is subscribed to them, topics, and your settings for each.',
  'default-channels': 'Channels for new members.',
  devices: 'The mobile devices of an account.',
  drafts: 'Messages that are not sent yet.',
  scheduled: 'Messages that the server sends at a time.',
  reminders: 'Messages of the notification bot about messages, at a time.',
  emoji: 'Emoji that people added.',
  events: 'The state, and the queue of events that goes on from it.',
  exports: 'Archives of the organization for administrators, and of the data of one person.',
  imports: 'Archives of other chat servers that administrators import.',
  factors: 'Second factors: what people show beside their password.',
  groups: 'User groups: sets of people, and holders of permissions.',
  domains: 'Domains of the addresses with which people can join.',
  invites: 'Invitations by mail, and links through which people join.',
  playgrounds: 'Websites that run the code of messages.',
  linkifiers: 'Patterns in messages that become links.',
  files: 'Files that people upload.',
  messages: 'Messages, their flags, reactions, and who is typing.',
  'navigation-views': 'What the side bar shows.',
  pictures: 'Pictures of people and of the organization.',
  presence: 'Who is there.',
  push: 'Devices that receive notifications by Web Push.',
  'profile-fields': 'Custom fields of profiles, and your values for them.',
  settings: 'Settings of accounts and of the organization.',
  snippets: 'Texts kept for later use.',
  topics: 'What you want of topics, and removing them.',
  users: 'People and bots.',
}

export function about({ url }: Server) {
  return {
    info: {
      title: 'Parley',
      version: serverVersion,
      summary: `A team-chat server. Feature level ${featureLevel}.`,
      description: conventions,
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
  }
}

const conventions = `## Conventions

- **Parameters** are sent as a JSON object (\`application/json\`) or form-encoded (\`application/x-www-form-urlencoded\`, \`multipart/form-data\`). Those of
  GET stand in the query; the others may stand there instead of the body. In forms and queries, what is a list or an object is JSON in one field.
- **Success** is status 200 and a JSON object with \`result\` = \`success\`, an empty \`msg\`, and the operation's own fields.
  Parameters that the operation does not have are passed over and listed in \`ignored_parameters_unsupported\`.
- **Errors** are a JSON object with \`result\` = \`error\`, \`msg\` for people, and \`code\` for programs. A path that is not there
  answers 404 \`NOT_FOUND\`, a method that it does not take 405 \`METHOD_NOT_ALLOWED\` with \`allowed_methods\`.
- **Credentials** are HTTP Basic: the account's email address and its API key.
- Lengths are counted in Unicode code points; times are UNIX seconds unless said otherwise.
- The same operations can be called on a WebSocket, at \`/api/v1/socket\`: \`docs/protocol/socket.md\`.`
