import { createEffect, For, type JSX, on } from 'solid-js'
import type { Choosing } from './choosing.js'

interface OfferListProps<Offer> {
  /** Of the list; each suggestion has it with its number. */
  readonly id: string
  readonly class: string
  readonly offerClass?: string
  readonly label: string
  readonly choosing: Choosing<Offer>
  take(offer: Offer): unknown
  /** What stands in a suggestion. */
  readonly children: (offer: Offer) => JSX.Element
}

/** The id of the chosen suggestion, for the text box. */
export const chosenId = (id: string, choosing: Choosing<unknown>): string | undefined =>
  choosing.chosen() === undefined ? undefined : `${id}-${choosing.at()}`

/** Suggestions below a text box, which keeps the focus. */
export function OfferList<Offer>(props: OfferListProps<Offer>): JSX.Element {
  let list: HTMLDivElement | undefined
  createEffect(
    on(
      () => props.choosing.stepped(),
      at => list?.children[at]?.scrollIntoView({ block: 'nearest' }),
      { defer: true },
    ),
  )
  return (
    <div class={props.class} id={props.id} role="listbox" aria-label={props.label} ref={list}>
      <For each={props.choosing.offers()}>
        {(offer, index) => (
          <div
            class={props.offerClass ?? 'offer'}
            id={`${props.id}-${index()}`}
            role="option"
            tabIndex={-1}
            aria-selected={index() === props.choosing.at()}
            onPointerDown={event => event.preventDefault()}
            onClick={() => props.take(offer)}
            onKeyDown={event => event.key === 'Enter' && props.take(offer)}
          >
            {props.children(offer)}
          </div>
        )}
      </For>
    </div>
  )
}
