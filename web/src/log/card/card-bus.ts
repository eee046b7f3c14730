/** Tells the cards of a board what a person does with one of them: where they point, which stretch they look at. */
export interface CardBus<T> {
  /** null: no more. */
  tell(from: string, news: T | null): void;
  /** Not told of what the card itself says. @returns stops */
  listen(card: string, listener: (news: T | null) => void): () => void;
}

export function createCardBus<T>(): CardBus<T> {
  const listeners = new Map<string, (news: T | null) => void>();
  let last: T | null = null;
  return {
    tell(from, news) {
      if (news === null && last === null) return;
      last = news;
      for (const [card, listener] of listeners) if (card !== from) listener(news);
    },
    listen(card, listener) {
      listeners.set(card, listener);
      return () => {
        if (listeners.get(card) === listener) listeners.delete(card);
      };
    },
  };
}
