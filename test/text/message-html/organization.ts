import { compileLinkifier } from '../../../server/text/compile-linkifier.js'
import type { Names } from '../../../server/text/markdown.js'

const users = [
  { user_id: 31, full_name: 'Mira Solberg', is_active: true },
  { user_id: 44, full_name: 'Tom Ek', is_active: true },
  { user_id: 45, full_name: 'Tom Ek', is_active: true },
  { user_id: 52, full_name: 'Old Hand', is_active: false },
]
const groups = [
  { id: 17, name: 'support crew', display_name: 'support crew', is_active: true },
  { id: 19, name: 'retired', display_name: 'retired', is_active: false },
  { id: 5, name: 'role:administrators', display_name: 'Administrators', is_active: true },
]
const channels = [
  { stream_id: 12, name: 'design team' },
  { stream_id: 3, name: 'general' },
  { stream_id: 9, name: 'ops.alerts' },
]

/** The organization that the examples refer to. */
export const organization: Names = {
  origin: 'https://chat.example',
  userById: id => users.find(user => user.user_id === id),
  usersByName: name => users.filter(user => user.full_name.toLowerCase() === name.toLowerCase()),
  groupByName: name => groups.find(group => group.name === name),
  channelByName: name => channels.find(channel => channel.name === name),
  newestInTopic: (id, topic) =>
    id === 12 && topic.toLowerCase() === 'logo v2' ? 901 : id === 3 && topic === '' ? 77 : undefined,
  emptyTopicName: 'general chat',
  customEmoji: name =>
    name === 'party_llama' ? { id: '7', source_url: '/user_avatars/2/emoji/images/7.png' } : undefined,
  translatesEmoticons: true,
  codeLanguage: '',
  linkifiers: [compileLinkifier({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/i/{id}' })],
}
