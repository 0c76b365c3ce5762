import type { ArchiveFiles } from '../../support/archive.js'

const people = Array.from({ length: 60 }, (_, i) => ({
  id: `U${i}`,
  real_name: `Person ${i}`,
  profile: i % 7 === 0 ? {} : { email: `person${i}@acme.example` },
}))
const channels = Array.from({ length: 12 }, (_, i) => ({
  id: `C${i}`,
  name: `channel-${i}`,
  members: people.filter((_, n) => n % (i + 1) === 0).map(one => one.id),
}))
const perChannel = 400

const messages = (channel: number, filesOf: (channel: number, message: number) => readonly object[]) =>
  Array.from({ length: perChannel }, (_, i) => ({
    user: `U${(i * 7 + channel) % 60}`,
    ts: `${1709542800 + i * 60 + channel}.000100`,
    text: `Message ${i} for <@U${i % 60}>`,
    files: filesOf(channel, i),
    ...(i % 5 === 1 && { thread_ts: `${1709542800 + (i - 1) * 60 + channel}.000100` }),
    ...(i % 3 === 0 && { reactions: [{ name: '+1', users: [`U${i % 60}`, 'U1'] }] }),
  }))

/** The archive of a workspace: 62 accounts with the senders in no list, 12 channels, 4,801 messages. */
export const workspace = (
  filesOf: (channel: number, message: number) => readonly object[] = () => [],
): ArchiveFiles => ({
  'users.json': people,
  'channels.json': channels,
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  ...Object.fromEntries(channels.map(({ name }, i) => [`${name}/2024-03-04.json`, messages(i, filesOf)])),
  'D1/2024-03-04.json': [{ user: 'U1', ts: '1709542800.000100', text: 'Hello' }],
})

/** Records of its messages. */
export const records = channels.length * perChannel + 1
