console.log(this, typeof exports); export {};
