import { counterOf } from '../counter.js'

const count = counterOf('en')

/** The list of channels, and the dialogs that make channels and topics. */
export const channels = {
  title: 'Channels',
  find: 'Find a channel',
  create: 'Create',
  people: (n: number) => count(n, { other: n => `${n} people` }),
  newTitle: 'New channel',
  purpose: 'What it is for',
  isPrivate: 'Private: only who is in it sees it',
  createChannel: 'Create channel',
  newTopic: 'New topic',
  channel: 'Channel',
  topic: 'Topic',
  writeFirst: 'Write the first message',
}

/** The dialog about a channel. */
export const channel = {
  about: 'About the channel',
  tabs: { settings: 'Settings', permissions: 'Permissions', members: 'Members', topics: 'Topics' },
  gone: 'This channel is archived, or you no longer see it.',
  findOrAdd: 'Find members, or people to add',
  find: 'Find members',
  add: (name: string) => `Add ${name}`,
  leave: (name: string) => `Leave ${name}`,
  members: 'Members',
  andMore: (n: number) => count(n, { other: n => `And ${n} more: the search finds them.` }),
  alsoOrganization: 'The permissions of the organization apply as well.',
  permission: {
    can_send_message_group: 'Post messages',
    can_create_topic_group: 'Begin topics',
    can_subscribe_group: 'Join, also when the channel is private',
    can_add_subscribers_group: 'Add members',
    can_remove_subscribers_group: 'Remove members',
    can_resolve_topics_group: 'Resolve topics',
    can_move_messages_within_channel_group: 'Move messages to other topics',
    can_move_messages_out_of_channel_group: 'Move messages to other channels',
    can_delete_own_message_group: 'Delete own messages',
    can_delete_any_message_group: 'Delete any message',
    can_administer_channel_group: 'Change the channel',
  },
  purpose: 'What it is for',
  whoSees: 'Who sees it',
  whoPosts: 'Who posts',
  folder: 'Folder',
  created: 'Created',
  createdOn: (day: string) => `Created ${day}.`,
  by: (day: string, name: string) => `${day} by ${name}`,
  archive: 'Archive channel',
  reallyArchive: 'Really archive: no one can write in it any more',
  findTopic: 'Find a topic',
  topics: 'Topics',
  noTopic: 'No topic.',
  mark: { resolved: 'resolved', followed: 'followed', muted: 'muted' },
  privacy: {
    web: 'Open to the web',
    public: 'Public: all members can read and join it',
    shared: 'Private: new members see earlier messages',
    protected: 'Private: new members see only later messages',
  },
}

/** Groups of users that hold permissions. */
export const groups = {
  internet: 'All of the internet',
  allUsers: 'All, guests included',
  members: 'Members',
  fullmembers: 'Full members',
  moderators: 'Moderators and administrators',
  administrators: 'Administrators',
  owners: 'Owners',
  none: 'No one',
  gone: 'a group that no longer exists',
}

/** The groups of the organization. */
export const userGroups = {
  title: 'Groups',
  all: 'All groups',
  about: 'About the group',
  find: 'Find a group',
  none: 'There are none yet.',
  create: 'Create group',
  members: (n: number) => count(n, { one: n => `${n} member`, other: n => `${n} members` }),
  gone: 'This group is deactivated.',
  join: (name: string) => `Join ${name}`,
  leave: (name: string) => `Leave ${name}`,
  permission: {
    can_mention_group: 'Mention the group',
    can_join_group: 'Join',
    can_leave_group: 'Leave',
    can_add_members_group: 'Add members',
    can_remove_members_group: 'Remove members',
    can_manage_group: 'Change the group',
  },
  deactivate: 'Deactivate group',
  reallyDeactivate: 'Really deactivate: no more mentions and permissions',
  inUse: (places: string) => `This group is still in use: ${places}.`,
  organization: 'permissions of the organization',
}

/** The choice of the groups and people that hold a permission. */
export const holders = {
  change: (permission: string) => `Choose groups and people: ${permission}`,
  chosen: 'Chosen groups and people',
  find: 'Find groups and people',
  placeholder: 'Group or person …',
  suggestions: 'Groups and people to add',
  nothing: 'No other group or person has this name.',
  role: 'role',
  group: 'group',
  added: (name: string) => `Added: ${name}`,
  removed: (name: string) => `Removed: ${name}`,
  changedMeanwhile: 'Another person has changed this meanwhile. You see it as it is now.',
}

/** The dialog that moves messages. */
export const move = {
  topicTitle: 'Move topic',
  messagesTitle: 'Move messages',
  what: 'What to move',
  part: {
    change_one: 'This message',
    change_later: 'This message and later ones of the topic',
    change_all: 'All messages of the topic',
  },
  toChannel: 'To the channel',
  toTopic: 'To the topic',
  notices: 'Leave a notice',
  inOld: 'in the old place',
  inNew: 'in the new place',
  submit: 'Move',
  noMessages: 'This topic has no messages.',
  audience: 'Who will see them',
  andMore: (n: number) => count(n, { other: n => `${n} more` }),
  publicTo: (channel: string, n: number) =>
    count(n, {
      one: n => `All members can read #${channel}; ${n} is subscribed.`,
      other: n => `All members can read #${channel}; ${n} are subscribed.`,
    }),
  privateTo: (channel: string, n: number) =>
    count(n, {
      one: () => `Only the one member of #${channel} can read them.`,
      other: n => `Only the ${n} members of #${channel} can read them.`,
    }),
  gained: (names: string) => `New for ${names}.`,
  lost: (names: string) => `No longer visible to ${names}.`,
}
