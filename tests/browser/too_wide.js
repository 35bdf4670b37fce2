// The body of a function: what is wider than the window, unless it can be scrolled by itself.
return [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility()
    && !e.closest('.scroll > *, .skip, .unseen, thead') && e.getBoundingClientRect().right > innerWidth + 1)
  .map((e) => `${e.tagName} ${e.className} ${e.getBoundingClientRect().right}`)
  .concat(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []);
