import type { JSX } from 'solid-js'

/** A name and a value, in a list of facts. */
export function Fact(props: { name: string; children: JSX.Element }): JSX.Element {
  return (
    <div>
      <dt dir="auto">{props.name}</dt>
      <dd dir="auto">{props.children}</dd>
    </div>
  )
}
