/** Devices that get notifications while no page is open. */
export const push = {
  meaning: 'These devices show notifications also while no page is open. They are encrypted on the way.',
  off: 'This server sends no notifications to devices.',
  enable: 'Notify this device',
  impossible: 'This browser cannot receive notifications from this address.',
  denied: 'The browser does not allow notifications of this page.',
  test: 'Test',
  remove: 'Remove',
  thisOne: '(this device)',
  failing: '(the last notification did not reach it)',
}
