import { isExternalAddress } from '../../../server/external/external-hosts.js'
import { signedAddress } from '../../../server/external/signed-address.js'
import { compileLinkifier } from '../../../server/text/compile-linkifier.js'
import type { Names } from '../../../server/text/markdown.js'
import { onlyOne } from '../../../server/text/names.js'
import type { UploadedFile } from '../../../server/text/uploaded-files.js'
import type { Website } from '../../../server/text/website.js'

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

const picture = (width: number, height: number, isReady = true, isAnimated = false) => ({
  size: { width, height },
  isAnimated,
  isReady,
  transcoded: null,
})
const files = new Map<string, UploadedFile>([
  ['2/ab/chart.png', { type: 'image/png', picture: picture(1200, 800) }],
  ['2/ab/new.png', { type: 'image/png', picture: picture(640, 480, false) }],
  ['2/cd/dance.gif', { type: 'image/gif', picture: picture(320, 240, true, true) }],
  ['2/cd/scan.tiff', { type: 'image/tiff', picture: { ...picture(2000, 3000), transcoded: '2000x3000.webp' } }],
  ['2/ee/song.mp3', { type: 'audio/mpeg', picture: null }],
  ['2/ab/doc.pdf', { type: 'application/pdf', picture: null }],
  ['2/ab/demo.mp4', { type: 'video/mp4', picture: null }],
])

const websites = new Map<string, Website>([
  [
    'https://news.example/p',
    {
      kind: 'page',
      title: 'Rain at last',
      description: 'Farmers & frogs rejoice.',
      image: 'https://news.example/rain.jpg',
      player: '',
    },
  ],
  [
    'https://news.example/bare',
    { kind: 'page', title: '', description: '', image: 'https://news.example/b', player: '' },
  ],
  [
    'https://news.example/quiet',
    { kind: 'page', title: '<b> "Quiet"', description: '', image: 'https://news.example/b', player: '' },
  ],
  [
    'https://news.example/hidden',
    { kind: 'page', title: 'Hidden', description: '', image: 'http://u:p@news.example/b', player: '' },
  ],
  [
    'https://photo.example/4',
    { kind: 'photo', title: 'Lake', description: '', image: 'https://photo.example/lake', player: '' },
  ],
  [
    'https://video.example/9',
    {
      kind: 'video',
      title: 'Clip',
      description: '',
      image: 'https://video.example/still',
      player: 'https://video.example/e/9',
    },
  ],
])

/** The organization that the examples refer to. */
export const organization: Names = {
  origin: 'https://chat.example',
  userById: id => users.find(user => user.user_id === id),
  userByName: name => onlyOne(users.filter(user => user.full_name.toLowerCase() === name.toLowerCase())),
  groupByName: name => groups.find(group => group.name === name),
  channelByName: name => channels.find(channel => channel.name === name),
  newestInTopic: (id, topic) =>
    id === 12 && topic.toLowerCase() === 'logo v2' ? 901 : id === 3 && topic === '' ? 77 : undefined,
  emptyTopicName: 'general chat',
  customEmoji: name =>
    name === 'party_llama' ? { id: '7', source_url: '/user_avatars/2/emoji/images/7.png' } : undefined,
  uploadedFile: path => files.get(path),
  external: url => (isExternalAddress(url) ? signedAddress('secret', url) : undefined),
  website: url => websites.get(url),
  showsPreviews: true,
  showsWebsites: true,
  translatesEmoticons: true,
  codeLanguage: '',
  linkifiers: [compileLinkifier({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/i/{id}' })],
}
