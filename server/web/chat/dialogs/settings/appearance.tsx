import type { JSX } from 'solid-js'
import { ThemeSwitch } from '../../theme-switch.js'
import { Choice, Toggle } from './controls.js'

/** How the page looks. */
export function Appearance(): JSX.Element {
  return (
    <>
      <h3 class="part-title">Colours</h3>
      <ThemeSwitch hasTitles />
      <Choice
        name="twenty_four_hour_time"
        title="Times"
        options={[
          [false, '1:30 pm'],
          [true, '13:30'],
        ]}
      />
      <Choice
        name="web_home_view"
        title="First view"
        options={[
          ['inbox', 'Inbox'],
          ['recent', 'Recent conversations'],
          ['all_messages', 'All messages'],
        ]}
      />
      <fieldset class="group">
        <legend>Writing</legend>
        <Toggle name="translate_emoticons" title="Turn emoticons such as :) into emoji on sending" />
        <Toggle name="receives_typing_notifications" title="Show who is writing" />
      </fieldset>
    </>
  )
}
