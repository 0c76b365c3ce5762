/** Archives of the organization. */
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
  deleteOne: (time: string) => `Delete the export of ${time}`,
}
