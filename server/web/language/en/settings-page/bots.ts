/** The user's own bots. */
export const bots = {
  meaning: 'Accounts for programs. A bot is in no channel until a person adds it.',
  add: 'New bot',
  make: 'Make the bot',
  generic: 'May do what a person may',
  incoming: 'Only sends messages',
  outgoing: 'Its server gets messages and answers',
  newKey: 'New key',
  reallyNewKey: 'End the old key',
  reallyDeactivate: 'Really deactivate',
  deactivate: 'Deactivate',
  key: 'Key of the bot',
  hello: 'Hello',
  id: 'user ID',
  service: 'Address for a service that writes to Slack',
  keyOf: 'Key of',
  once: 'Copy the key now: this page does not show it again. A new key ends the old one. This is how the bot sends you its first message:',
}
