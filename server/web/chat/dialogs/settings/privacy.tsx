import type { JSX } from 'solid-js'
import { Choice, Toggle } from './controls.js'

/** What other users learn of this one. */
export function Privacy(): JSX.Element {
  return (
    <>
      <fieldset class="group">
        <legend>Let others see</legend>
        <Toggle name="presence_enabled" title="When you are active" />
        <Toggle name="send_read_receipts" title="Which messages you have read" />
        <Toggle name="send_private_typing_notifications" title="That you are writing a direct message" />
        <Toggle name="send_stream_typing_notifications" title="That you are writing to a channel" />
      </fieldset>
      <Choice
        name="email_address_visibility"
        title="Who sees your email address"
        options={[
          [1, 'All users'],
          [2, 'Members, not guests'],
          [5, 'Moderators and administrators'],
          [3, 'Administrators'],
          [4, 'No other user'],
        ]}
      />
    </>
  )
}
