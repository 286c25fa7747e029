"use strict";
/* A run that is to come soon: at the time that is asked for, or earlier where that is planned already. So who writes on
   and on is saved meanwhile, and not at the end of it only. */

const sooner = (run) => {
  let timer = null;
  let due = 0;

  function forget() {
    clearTimeout(timer);
    timer = null;
  }

  return {
    within(milliseconds) {
      const then = performance.now() + milliseconds;
      if (timer !== null && due <= then) return;
      forget();
      due = then;
      timer = setTimeout(() => {
        timer = null;
        run();
      }, milliseconds);
    },
    forget,
  };
};
