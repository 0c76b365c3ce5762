/** The own address, and the end of the own account. */
export const ownAccount = {
  addressMeaning: 'A link is mailed to the new address. Your address stays as it is until you open that link.',
  newAddress: 'New email address',
  changeAddress: 'Change address',
  addressMailed: (address: string) => `The link is mailed to ${address}. It is good for a day.`,
  leavingMeaning:
    'You and your bots are signed out everywhere and can no longer sign in. What you wrote stays. Only an administrator can reactivate the account.',
  leave: 'Deactivate your account',
}
