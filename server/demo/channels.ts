import type { AccountName } from './accounts.js'

interface DemoChannel {
  readonly name: string
  readonly description: string
  readonly kind: 'public' | 'private' | 'web-public'
  readonly isDefault?: boolean
  readonly members: readonly AccountName[]
}

export const channels: readonly DemoChannel[] = [
  {
    name: 'general',
    description: 'Announcements for **all members**.',
    kind: 'public',
    isDefault: true,
    members: ['owner', 'administrator', 'moderator', 'member', 'colleague', 'guest', 'bot'],
  },
  {
    name: 'design',
    description: 'Sketches, drafts and second thoughts.',
    kind: 'public',
    members: ['owner', 'moderator', 'member', 'colleague'],
  },
  {
    name: 'leadership',
    description: 'Plans that are not ripe yet.',
    kind: 'private',
    members: ['owner', 'administrator', 'moderator'],
  },
  {
    name: 'moderation',
    description: 'Reports of messages, for moderators.',
    kind: 'private',
    members: ['owner', 'administrator', 'moderator'],
  },
  {
    name: 'announcements',
    description: 'News for the whole world.',
    kind: 'web-public',
    members: ['owner', 'administrator', 'moderator', 'member', 'colleague'],
  },
]

interface DemoMessage {
  readonly from: AccountName
  readonly to: { readonly channel: string; readonly topic: string } | readonly AccountName[]
  readonly content: string
}

const general = (topic: string) => ({ channel: 'general', topic })
const design = (topic: string) => ({ channel: 'design', topic })

export const messages: readonly DemoMessage[] = [
  { from: 'owner', to: general('welcome'), content: 'Welcome! This is the **demonstration organization**.' },
  { from: 'member', to: general('welcome'), content: 'Good to be here. Who else is around?' },
  { from: 'guest', to: general('welcome'), content: 'Me, as a guest: I see this channel and nothing else.' },
  { from: 'bot', to: general('builds'), content: 'Build **42** passed in `3 min`.' },
  { from: 'colleague', to: general('lunch'), content: 'Soup at noon?' },
  { from: 'moderator', to: general('lunch'), content: 'Yes. Bring the good bread.' },
  { from: 'moderator', to: design('new logo'), content: 'Two drafts:\n\n* a parrot\n* two speech bubbles' },
  { from: 'member', to: design('new logo'), content: 'The parrot, please.' },
  { from: 'colleague', to: design('colours'), content: '> Everything in green\n\nCould we try blue once?' },
  { from: 'owner', to: { channel: 'leadership', topic: 'next year' }, content: 'We should talk about next year.' },
  { from: 'administrator', to: { channel: 'leadership', topic: 'next year' }, content: 'I have a first list.' },
  {
    from: 'owner',
    to: { channel: 'announcements', topic: 'hello' },
    content: 'We are open. This channel is readable without an account.',
  },
  { from: 'member', to: ['colleague'], content: 'Are you coming to lunch?' },
  { from: 'colleague', to: ['member'], content: 'On my way.' },
  { from: 'owner', to: ['administrator', 'moderator'], content: 'A word after lunch, the three of us?' },
]
