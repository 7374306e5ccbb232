export function getServerSideProps() {
  return { props: { title: "Any other page" } };
}

export default function CatchAll({ title }) {
  return <h1>{title}</h1>;
}
