import "leftpad";
