import type { JSX } from 'solid-js'
import { ThemeSwitch } from '../../theme-switch.js'
import { Choice } from './controls.js'

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
    </>
  )
}
