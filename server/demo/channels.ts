import type { AccountName } from './accounts.js'

interface DemoChannel {
  readonly name: string
  readonly description: string
  readonly kind: 'public' | 'private' | 'web-public'
  readonly isDefault?: boolean
  readonly members: readonly AccountName[]
}

const team: readonly AccountName[] = [
  'owner',
  'administrator',
  'moderator',
  'member',
  'colleague',
  'engineer',
  'operator',
  'designer',
  'support',
  'writer',
  'analyst',
]

export const channels: readonly DemoChannel[] = [
  {
    name: 'general',
    description: 'Announcements for **all members**.',
    kind: 'public',
    isDefault: true,
    members: [...team, 'guest', 'bot'],
  },
  {
    name: 'design',
    description: 'Sketches, drafts and second thoughts.',
    kind: 'public',
    members: ['owner', 'moderator', 'member', 'colleague', 'designer', 'writer'],
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
    members: team,
  },
  {
    name: 'engineering',
    description: 'The shop, its code and its tests.',
    kind: 'public',
    members: ['owner', 'administrator', 'member', 'colleague', 'engineer', 'operator', 'analyst', 'bot'],
  },
  {
    name: 'operations',
    description: 'What runs, what broke, and what we learned from it.',
    kind: 'public',
    members: ['owner', 'administrator', 'engineer', 'operator', 'member', 'support', 'bot'],
  },
  {
    name: 'support',
    description: 'Questions of customers. One topic for each.',
    kind: 'public',
    members: ['moderator', 'colleague', 'engineer', 'support', 'writer', 'analyst'],
  },
]
