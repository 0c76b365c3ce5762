/** What the inbox says to a user who has just come. */
export const welcome = {
  title: (organization: string) => `Welcome to ${organization}`,
  says: {
    founder: 'Three steps, and your team can begin.',
    newcomer: 'A few first steps:',
  },
  steps: {
    channel: { title: 'Create a channel', hint: 'For a team, a project or a subject.' },
    invite: { title: 'Invite people', hint: 'By mail, or by a link that you pass on.' },
    profile: { title: 'Fill in your profile', hint: 'A picture and a few words help others recognize you.' },
    browse: { title: 'Look at the channels', hint: 'Subscribe to those that concern you.' },
    hello: { title: 'Say hello', hint: 'Write your first message in a channel.' },
  },
  topic: 'introductions',
  done: 'Done',
  close: 'Close the first steps',
}
