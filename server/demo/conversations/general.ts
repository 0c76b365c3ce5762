import type { Conversation } from './conversation.js'

const general = (topic: string) => ({ channel: 'general', topic })

export const generalConversations: readonly Conversation[] = [
  {
    to: general('welcome'),
    daysAgo: 6,
    said: [
      {
        at: '07:58',
        from: 'owner',
        content: 'Welcome! This is the **demonstration organization**: twelve people, one bot and the week they had.',
        reactions: { wave: ['member', 'colleague', 'engineer', 'support'], tada: ['moderator'] },
      },
      { at: '08:04', from: 'member', content: 'Good to be here. Who else is around?' },
      { at: '08:09', from: 'guest', content: 'Me, as a guest: I see this channel and nothing else.' },
      {
        at: '08:15',
        from: 'writer',
        content:
          'A hint for new people: press `?` for the keyboard shortcuts. The three I use all day are `n` (next unread topic), `r` (reply) and `c` (compose).',
        reactions: { bulb: ['analyst', 'guest', 'colleague'] },
      },
    ],
  },
  {
    to: general('builds'),
    daysAgo: 5,
    said: [
      { at: '09:30', from: 'bot', content: 'Build **41** failed: `checkout.test.ts` timed out.' },
      { at: '09:52', from: 'bot', content: 'Build **42** passed in `3 min`.', reactions: { check: ['engineer'] } },
    ],
  },
  {
    to: general('lunch'),
    daysAgo: 4,
    said: [
      { at: '10:21', from: 'colleague', content: 'Soup at noon?' },
      { at: '10:26', from: 'moderator', content: 'Yes. Bring the good bread.', reactions: { bread: ['colleague'] } },
      { at: '10:40', from: 'guest', content: 'Is there a vegetarian one?' },
      { at: '10:43', from: 'colleague', content: '@**Gus Guestling** lentils today, carrots tomorrow.' },
    ],
  },
  {
    to: general('offsite'),
    daysAgo: 3,
    said: [
      {
        at: '13:02',
        from: 'moderator',
        content: 'I found a hut for us: two hours by train, room for fourteen, and an oven.',
        picture: 'mountain-hut.webp',
        reactions: { heart_eyes: ['colleague', 'designer', 'support'], evergreen_tree: ['member'] },
      },
      {
        at: '13:05',
        from: 'moderator',
        content: '/poll Which weekend of next month?\nThe first\nThe second\nThe last',
        votes: {
          owner: [1],
          administrator: [1],
          member: [0, 1],
          colleague: [1],
          engineer: [2],
          operator: [0],
          designer: [1],
          support: [1, 2],
          analyst: [1],
        },
      },
      { at: '13:20', from: 'analyst', content: 'The second one wins so far. I can bring the telescope. :telescope:' },
      {
        at: '13:31',
        from: 'member',
        content: 'Then I cook. Tell me what you do not eat, here or in a direct message.',
        reactions: { cook: ['analyst', 'moderator'], yum: ['colleague'] },
      },
    ],
  },
  {
    to: general('who is new'),
    daysAgo: 2,
    said: [
      {
        at: '08:12',
        from: 'administrator',
        content:
          'Please welcome @**Samira Haddad**, who joins us as an analyst. She has worked with shop data for six years and owns more bicycles than shoes.',
        reactions: { wave: ['owner', 'member', 'designer', 'support', 'operator'], bicycle: ['engineer'] },
      },
      { at: '08:30', from: 'analyst', content: 'Thank you! Four bicycles, five pairs of shoes. I counted.' },
    ],
  },
  {
    to: general('lunch'),
    daysAgo: 0,
    said: [
      { at: '09:40', from: 'support', content: 'Pizza today? I will order at half past eleven.' },
      { at: '09:43', from: 'member', content: 'With mushrooms, please.', reactions: { mushroom: ['support'] } },
    ],
  },
]
