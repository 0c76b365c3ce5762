const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`

/** Archives of other chat servers. */
export const imports = {
  meaning:
    'Bring the history of your team from Slack, Mattermost or Discord. Upload the archive as you downloaded it: it is checked first, and nothing changes until you start the import. Its messages notify no user, and count as read.',
  archive: 'Archive (ZIP)',
  choose: 'Choose or drop an archive',
  sent: (percent: number) => `${percent} percent are uploaded`,
  largest: (mib: number) =>
    `An archive may have ${mib} MiB here; the operator of the server can import a larger one. What is not imported is removed after a week.`,
  listed: 'Archives',
  none: 'No archive has been uploaded yet.',
  states: {
    checking: 'being checked',
    ready: 'checked, not imported yet',
    running: 'being imported',
    finished: 'imported',
    failed: 'failed',
  },
  failure: 'The server could not do it: its operator finds the cause in the log. You can start the import again.',
  remove: 'Remove',
  removeOne: (name: string) => `Remove the archive ${name}`,
  people: 'People',
  peopleCounts: (people: number, here: number, deactivated: number, bots: number) =>
    `${counted(people, 'person', 'people')}, ${here} of them with an account here, ${deactivated} deactivated; ${counted(bots, 'bot', 'bots')}`,
  channels: 'Channels',
  channelCounts: (open: number, closed: number, archived: number) =>
    `${open} public, ${closed} private; ${archived} archived`,
  talks: 'Direct conversations',
  messages: 'Messages',
  messageCounts: (kept: number, source: number, replies: number) => `${kept} of ${source}, ${replies} in threads`,
  period: (first: string, last: string) => `from ${first} to ${last}`,
  files: 'Files',
  fileCounts: (inArchive: number, toDownload: number, links: number) =>
    `${inArchive} in the archive, ${toDownload} to download, ${links} links`,
  written: 'Imported',
  withoutAddress: 'Without an address',
  renamed: 'Channels that get another name',
  dropped: 'Messages that are left out',
  lost: 'Files that are lost',
  faults: 'Faults',
  whoIsWho: 'Who is who',
  whoIsWhoMeaning:
    'People are recognized by their address. Choose the account of those who have another address here. All others get an account; without an address it is deactivated.',
  findPeople: 'Find people of the archive',
  further: (count: number) => `${count} more: search for them.`,
  is: (name: string) => `is ${name}`,
  becomesNew: 'gets an account',
  becomesInactive: 'gets a deactivated account',
  becomesBot: 'becomes a deactivated bot',
  noAddress: 'no address',
  choosePerson: 'Choose',
  chooseFor: (name: string) => `Choose the account of ${name}`,
  whichChannels: 'Channels and their names',
  whichChannelsMeaning: 'A channel that is not ticked is not imported. A name that is taken gets a number.',
  findChannels: 'Find channels of the archive',
  isPrivate: 'private',
  isArchived: 'archived',
  members: (count: number) => counted(count, 'member', 'members'),
  nameOf: (name: string) => `New name of ${name}`,
  outOfOrder: 'Also messages that are older than those of an earlier import',
  start: 'Import',
}
