/** The address of a channel for mails. */
export const channelMail = {
  title: 'Mail address',
  meaning:
    'Mails to this address become messages in the channel, with the subject as the topic. It was made for you: who has it can post here.',
  renew: 'New address',
  reallyRenew: 'Really: this one ends',
}
