/** The list of files. */
export const files = {
  find: 'Find files by name or words',
  where: 'Where to look',
  everywhere: 'My channels and conversations',
  public: 'All public channels',
  none: 'There are no files here.',
  older: 'Look in older messages',
  download: (name: string) => `Download ${name}`,
  show: (name: string) => `Show the message of ${name}`,
}
