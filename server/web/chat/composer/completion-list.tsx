import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Avatar } from '../avatar.js'
import { EmojiSign } from '../emoji/emoji-sign.js'
import { OfferList } from '../offer-list.js'
import type { Completion } from './completion.js'
import type { Offer } from './offers.js'

/** The id of the list of suggestions. */
export const listId = 'offers'

/** The suggestions above the text box. */
export function CompletionList(props: { completion: Completion }): JSX.Element {
  return (
    <Show when={props.completion.isOpen()}>
      <OfferList
        id={listId}
        class="offers card"
        label={t('composer.suggestions')}
        choosing={props.completion.choosing}
        take={props.completion.take}
      >
        {offer => <OfferWords offer={offer} />}
      </OfferList>
    </Show>
  )
}

function OfferWords(props: { offer: Offer }): JSX.Element {
  return (
    <>
      <Show
        when={props.offer.userId}
        fallback={
          <span class="offer-sign">
            <EmojiSign custom={props.offer.custom} character={props.offer.sign ?? ''} />
          </span>
        }
      >
        {id => <Avatar userId={id()} size="small" hasPresence />}
      </Show>
      <span class="row-name" dir="auto">
        {props.offer.title}
      </span>
      <span class="offer-hint" dir="auto">
        {props.offer.hint?.()}
      </span>
    </>
  )
}
