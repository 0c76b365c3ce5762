/** The end of the organization. */
export const closing = {
  meaning:
    'All people are signed out at once and can no longer sign in; API keys and links stop working, and all owners get a mail. Messages and files stay, unless you have them deleted below. As long as they exist, the operator of the server can send the owners a link that opens the organization again.',
  days: 'Delete all data after so many days',
  daysMeaning: (least: number) =>
    `Messages, files and accounts are then deleted for ever. ${least} days at least; empty: they are never deleted.`,
  confirm: (name: string) => `To confirm, type the name of the organization: ${name}`,
  close: 'Close the organization',
}
