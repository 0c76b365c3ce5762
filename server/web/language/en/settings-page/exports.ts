/** Archives of the organization, and of one person. */
export const exports = {
  meaning:
    'The server writes an archive in the background and sends you a message when it is ready. It can be downloaded for a week; five exports can be requested in seven days.',
  kind: 'What it contains',
  kinds: {
    public: 'Public data',
    full_with_consent: 'Also private data of people who agreed',
    full_without_consent: 'Everything, direct messages of all people included',
  },
  consents: (agreed: number, all: number) =>
    `${agreed} of ${all} ${all === 1 ? 'person has' : 'people have'} agreed that exports contain their private data.`,
  since: (time: string) => `Only messages since the export of ${time}`,
  request: 'Export',
  listed: 'Exports',
  none: 'Nothing has been exported yet.',
  pending: 'being written',
  failed: 'failed',
  deleted: 'deleted',
  written: (percent: number) => `${percent} percent are written`,
  download: 'Download',
  downloadOne: (time: string) => `Download the export of ${time}`,
  delete: 'Delete',
  requestPerson: 'Make an archive',
  ofPerson: 'Data of one person',
  yourData: 'Your data',
  ownMeaning:
    'An archive of what belongs to you: profile, settings, your messages, direct messages, files and what the server has stored about you. The server writes it in the background and sends you a message when it is ready. It can be downloaded for a week; two can be made in seven days.',
  personMeaning:
    'An archive of what belongs to this person, direct messages included, for a request of the person. The person learns of it. It can be downloaded for a week; you can make two in seven days.',
  deleteOne: (time: string) => `Delete the export of ${time}`,
}
