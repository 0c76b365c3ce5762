import type { Conversation } from './conversation.js'

const design = (topic: string) => ({ channel: 'design', topic })
const engineering = (topic: string) => ({ channel: 'engineering', topic })
const support = (topic: string) => ({ channel: 'support', topic })

export const workConversations: readonly Conversation[] = [
  {
    to: design('new logo'),
    daysAgo: 5,
    said: [
      {
        at: '11:02',
        from: 'designer',
        content: 'Two drafts:\n\n* **A**: a parrot\n* **B**: two speech bubbles',
        picture: 'logo-drafts.png',
        reactions: { parrot: ['member', 'colleague', 'owner'], speech_balloon: ['moderator'] },
      },
      { at: '11:10', from: 'member', content: 'The parrot, please.' },
      { at: '11:14', from: 'moderator', content: 'B is easier to see at 16 pixels, though.' },
      { at: '11:21', from: 'designer', content: 'True. I try a parrot with fewer feathers. :parrot:' },
    ],
  },
  {
    to: design('colours'),
    daysAgo: 4,
    said: [
      { at: '09:05', from: 'designer', content: 'Everything in green, this time for good.' },
      { at: '09:16', from: 'colleague', content: '> Everything in green\n\nCould we try blue once?' },
      {
        at: '09:31',
        from: 'designer',
        content:
          'We can. But text needs a contrast of at least $$\\frac{L_1 + 0.05}{L_2 + 0.05} \\ge 4.5$$, and our blue has 3.9.',
        reactions: { nerd: ['colleague', 'writer'] },
      },
    ],
  },
  {
    to: engineering('search is slow'),
    daysAgo: 6,
    said: [
      { at: '12:40', from: 'analyst', content: 'A search for “red shoes” took 4 s this morning. Is that known?' },
      {
        at: '12:52',
        from: 'engineer',
        content:
          'It is now. The planner reads the whole table, because the index is on `lower(title)` and the query asks for `title`:\n\n```sql\nselect id, title from products\nwhere lower(title) like lower($1)\norder by sold desc limit 20;\n```',
      },
      { at: '13:05', from: 'analyst', content: '40 ms. You are quick!', reactions: { zap: ['engineer', 'member'] } },
    ],
  },
  {
    to: engineering('release 2.4'),
    daysAgo: 3,
    said: [
      {
        at: '09:00',
        from: 'administrator',
        content:
          '/todo Release 2.4\nTranslate the new texts: Yuki\nMeasure the start page\nWrite the notes\nTell support',
      },
      {
        at: '09:22',
        from: 'writer',
        content: 'Texts are done, in six languages.',
        reactions: { globe: ['administrator'] },
      },
      {
        at: '10:48',
        from: 'colleague',
        content: 'Start page: 1.1 s on a slow phone, it was 1.9 s.\n\n```spoiler The trick\nDeleting things.\n```',
        reactions: { fire: ['engineer', 'member', 'administrator'] },
      },
    ],
  },
  {
    to: engineering('builds'),
    daysAgo: 1,
    said: [
      { at: '15:11', from: 'bot', content: 'Build **48** passed in `2 min 51 s`.' },
      { at: '15:40', from: 'bot', content: 'Build **49** passed in `2 min 47 s`.' },
    ],
  },
  {
    to: support('order 10582: paid twice'),
    daysAgo: 2,
    said: [
      {
        at: '15:20',
        from: 'support',
        content: 'A customer was charged twice during the outage. Can we see that on our side?',
      },
      { at: '15:34', from: 'analyst', content: 'Yes: 7 orders, 14 payments. I send you the list in a direct message.' },
      {
        at: '16:02',
        from: 'support',
        content: 'All seven have their money back, and a voucher.',
        reactions: { heart: ['analyst', 'moderator', 'colleague'] },
      },
    ],
  },
  {
    to: support('how do I change my address?'),
    daysAgo: 0,
    said: [
      { at: '08:31', from: 'support', content: 'Third time this week. Should the button be more visible?' },
      { at: '08:44', from: 'writer', content: 'I would call it **Change address** and not *Manage profile data*.' },
      {
        at: '08:45',
        from: 'colleague',
        content: 'Done in ten minutes. :hammer_and_wrench:',
        reactions: { pray: ['support'] },
      },
    ],
  },
  {
    to: { channel: 'leadership', topic: 'next year' },
    daysAgo: 4,
    said: [
      { at: '14:00', from: 'owner', content: 'We should talk about next year.' },
      { at: '14:07', from: 'administrator', content: 'I have a first list.' },
      { at: '14:09', from: 'moderator', content: 'Two more people for support, please.' },
    ],
  },
  {
    to: { channel: 'announcements', topic: 'hello' },
    daysAgo: 6,
    said: [
      {
        at: '09:00',
        from: 'owner',
        content: 'We are open. This channel is readable without an account.',
        reactions: { tada: ['administrator', 'moderator', 'member'] },
      },
    ],
  },
  {
    to: { channel: 'announcements', topic: 'checkout was down' },
    daysAgo: 1,
    said: [
      {
        at: '10:00',
        from: 'owner',
        content:
          'Yesterday some of you could not pay between 14:16 and 14:47 UTC. The cause is removed, and no order was charged that did not arrive.',
      },
    ],
  },
  {
    to: ['member', 'colleague'],
    daysAgo: 1,
    said: [
      { at: '10:31', from: 'member', content: 'Are you coming to lunch?' },
      { at: '10:32', from: 'colleague', content: 'On my way.' },
    ],
  },
  {
    to: ['owner', 'administrator', 'moderator'],
    daysAgo: 1,
    said: [{ at: '11:05', from: 'owner', content: 'A word after lunch, the three of us?' }],
  },
  {
    to: ['owner', 'support'],
    daysAgo: 0,
    said: [
      {
        at: '07:55',
        from: 'support',
        content: 'Two of the seven customers have answered. They stay. :smile:',
        reactions: { tada: ['owner'] },
      },
    ],
  },
  {
    to: ['engineer', 'member'],
    daysAgo: 0,
    said: [
      {
        at: '07:20',
        from: 'engineer',
        content: 'You slept well after the outage, I hope? It could have been any of us.',
      },
      { at: '07:41', from: 'member', content: 'Like a stone. Thank you for asking.' },
    ],
  },
]
